// Opens the site in the first language of the browser that it has. Without JavaScript the page is a list of links.
const pages = new Map([...document.links].map((link) => [link.lang, link.href]));
const wanted = navigator.languages.map((name) => name.slice(0, 2).toLowerCase()).find((name) => pages.has(name));
location.replace(pages.get(wanted ?? 'en'));
