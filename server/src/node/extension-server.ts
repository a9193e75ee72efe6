/** Entry point of the server in the extension: for the editor, or with `mcp` for agents that the editor starts. */

if (process.argv[2] === 'mcp') void import('./cli-main.ts').then(({ main }) => main(['mcp']));
else void import('./server.ts');
