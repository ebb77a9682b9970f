"""Tables on a server: loaded tables, locking, saving, broadcasting, timers, and the store that saves them."""
