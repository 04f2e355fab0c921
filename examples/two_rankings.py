"""Two rankings of the same ten systems: by human judgements, and by a judge that ties some of them."""

import concordant as cd

HUMAN = {
    "bm25": 0.421,
    "bm25+rm3": 0.447,
    "ql": 0.409,
    "dfr": 0.412,
    "splade": 0.511,
    "colbert": 0.523,
    "dpr": 0.398,
    "ance": 0.433,
    "monot5": 0.548,
    "tfidf": 0.322,
}
JUDGE = {
    "bm25": 0.50,
    "bm25+rm3": 0.53,
    "ql": 0.49,
    "dfr": 0.50,
    "splade": 0.63,
    "colbert": 0.61,
    "dpr": 0.52,
    "ance": 0.55,
    "monot5": 0.63,
    "tfidf": 0.41,
}

print("system       human  judge")
for name in sorted(HUMAN, key=HUMAN.get, reverse=True):
    print(f"{name:<11}{HUMAN[name]:7.3f}{JUDGE[name]:7.3f}")
print()
print(cd.compare(HUMAN, JUDGE))
print()
print("The same, where systems that differ by 0.02 or less are tied:")
print()
print(
    cd.compare(
        HUMAN,
        JUDGE,
        [f"{c.name}(0.02)" for c in cd.REGISTRY.values() if c.thresholds and c.inputs == "scores"],
    )
)
