declare module 'virtual:messages/*' {
  const catalogue: import('./lib/messages.svelte').Catalogue;
  export default catalogue;
}
declare module 'virtual:guide/*' {
  const catalogue: import('./lib/messages.svelte').Catalogue;
  export default catalogue;
}
declare module 'virtual:learning/*' {
  const catalogue: import('./lib/messages.svelte').Catalogue;
  export default catalogue;
}
