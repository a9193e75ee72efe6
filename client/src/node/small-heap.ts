/** The Node.js options for servers that the extension starts; bench/size.md contains the measurements. */
export const smallHeap: readonly string[] = ['--max-semi-space-size=4', '--max-old-space-size=1536'];
