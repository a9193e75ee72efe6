/** Entry point of the server in the extension. It serves the editor or, with the argument `mcp`, the AI agents that the editor starts. */

if (process.argv[2] === 'mcp') void import('./cli-main.ts').then(({ main }) => main(['mcp']));
else void import('./server.ts');
