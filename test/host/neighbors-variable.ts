/** The variable of the extension host that contains, as JSON, the texts that the neighbors of our extension report. */
export const neighborsVariable = 'SELECTOR_LENS_NEIGHBORS';
