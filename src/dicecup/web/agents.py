"""Short names of browsers from the header `User-Agent`."""

from typing import Final

BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Vivaldi": "Vivaldi",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""Names by a word of the header, in this order: most browsers name others too."""
SYSTEMS: Final = {
    "iPhone": "iOS",
    "iPad": "iPadOS",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def agent_name(header: str) -> str:
    """Return the names of the browser and of its system, such as `Firefox, Android`, without
    versions. Unknown ones are left out."""
    found = (next((name for word, name in names.items() if word in header), "") for names in (BROWSERS, SYSTEMS))
    return ", ".join(name for name in found if name)
