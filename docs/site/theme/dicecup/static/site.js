// Navigation is open where there is room, and what scrolls can be scrolled with the keyboard.
for (const details of document.querySelectorAll('details[data-wide]')) {
  const wide = matchMedia(`(min-width: ${details.dataset.wide})`);
  const follow = () => (details.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
}
const reachable = () => {
  for (const box of document.querySelectorAll('main pre, main .scroll')) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
};
reachable();
addEventListener('resize', reachable);
addEventListener('load', reachable);
