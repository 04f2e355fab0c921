// Answer the questions of test_playground.py as the playground does: node run.js playground.html < questions.json
const fs = require("fs");
const vm = require("vm");
const html = fs.readFileSync(process.argv[2], "utf8");
const script = html.slice(html.indexOf("<script>") + 8, html.indexOf("</script>"));
vm.runInThisContext(`${script}; globalThis.playground = { answer, inputOf, number, pvalue, t_quantile, $general, countsDown };`);
const whole = value => (Number.isNaN(value) ? null : value);

async function answered({ reference, estimate, names, chosen, lower, seed }) {
  try {
    const input = playground.inputOf(reference, estimate, names, chosen, lower);
    const found = await playground.answer(input, seed);
    const values = found.agreement.map(each => [each.coefficient.name, whole(each.value), each.interval && [...each.interval], each.undefined]);
    return { verdict: found.verdict, values, notes: input.notes, systems: found.systems.map(each => [each.system, each.reference_rank, each.estimate_rank]) };
  } catch (error) {
    if (error.constructor !== Error) throw error;
    return { error: error.message };
  }
}
async function main() {
  const asked = JSON.parse(fs.readFileSync(0, "utf8")), found = [];
  for (const each of asked.questions) found.push(await answered(each));
  const { numbers, quantiles, names = [] } = asked;
  const told = numbers.map(value => [playground.number(value), playground.pvalue(Math.abs(value)), playground.$general(value, 6)]);
  console.log(JSON.stringify({ found, told, quantiles: quantiles.map(each => playground.t_quantile(...each)), down: names.map(playground.countsDown) }));
}
main();
