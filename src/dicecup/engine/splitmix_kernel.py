"""SplitMix64: 64 well-mixed bits from a 64-bit number.

Source: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014.
"""

import numpy as np

from dicecup.engine.kernel import kernel


@kernel
def mix(number: np.uint64) -> np.uint64:
    """Return the output of SplitMix64 for the state `number`."""
    bits = number + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
