// How the search of the site orders what it finds. Pages that explain come before pages that list.
var Scorer = {
  score: ([page, , , , score]) => score + Scorer.worth(page),
  worth: page => {
    if (/^(start|which|guides\/)/.test(page)) return 6;
    if (/^(reference\/(coefficients|commands)\/|reference\/\w+$|playground)/.test(page)) return 4;
    if (/^(changes|citing|genindex|reference\/api\/results)/.test(page)) return -8;
    return /^(background\/papers|experiments|from)\//.test(page) ? -2 : 0;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
