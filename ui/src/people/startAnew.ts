/** Leave the page as somebody new: what it knows of the earlier person goes. */
export function startAnew(): void {
  try {
    localStorage.removeItem('dicecup-tables');
  } catch {
    // storage is blocked
  }
  location.assign('/');
}
