"""The proof: an upper bound on the mean of any way to play Yamm's full sheet alone (docs/bound.md has the mathematics).

- `certificate.load(path)` → `Certificate`: prices, the blocks they are for, and the bound they are claimed to prove;
  `certificate.SHIPPED` is the path of the best one that we have. `save`, and `flat` to begin with.
- `verify.verify(certificate)`: the bound that is proved, in double precision, rounded outward; `verify.proved_by` claims it.
  With `parts` and `verify_kernels` it shares nothing with the search but the dice tables.
- `search.tighten(certificate, seconds, seed, report)`: better prices. `blocks`, `kernels` and `last_throw` are the search's.
"""
