declare module 'virtual:languages' {
  type Part = () => Promise<{ default: import('./lib/messages.svelte').Catalogue }>;
  /** The catalogues: the language's name in itself, its locales for dates and numbers, its texts. */
  const languages: Record<
    import('./lib/messages.svelte').Language,
    { name: string; dates: string; numbers: string; messages: Part; later: Part; guide: Part; guided: Part; learning: Part; tournament: Part; admin: Part }
  >;
  export default languages;
}

declare module '*.wat' {
  /** A WebAssembly module. */
  const module: Uint8Array<ArrayBuffer>;
  export default module;
}
