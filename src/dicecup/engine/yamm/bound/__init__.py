"""The proof of an upper bound on the mean total of Yamm's full sheet played alone (docs/bound.md).

- `certificate`: prices, the blocks that they are for, and the claimed bound. `certificate.SHIPPED`
  is the path of the best known certificate.
- `verify`, `verify_kernel`, `parts`: the bound that a certificate proves, in double precision and
  rounded outward. They share only the dice tables with the search.
- `search`, `search_kernel`, `last_throw_kernel`, `blocks`: the search for better prices.
"""
