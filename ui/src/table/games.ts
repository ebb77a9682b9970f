/** Each game comes when a table plays it: nobody loads both for one. Where it is known which will be needed, loading may begin before. */
export const loadTable = () => import('./TablePage.svelte');
export const loadYamMaster = () => import('../yam_master/YamMasterGame.svelte');
export const loadYamm = () => import('../yamm/YammGame.svelte');
