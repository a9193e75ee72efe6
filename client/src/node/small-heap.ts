/** The options of Node.js for servers that the extension starts; docs/architecture/size.md has the figures. */
export const smallHeap: readonly string[] = ['--max-semi-space-size=4', '--max-old-space-size=1536'];
