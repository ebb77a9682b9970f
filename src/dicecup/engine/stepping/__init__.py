"""What the games that agents play step by step share: legal keeps, the bytes of a turn, and random
actions (`mask_kernel`)."""
