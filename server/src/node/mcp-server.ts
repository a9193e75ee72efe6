/** A Model Context Protocol server over standard input and output, which uses the official SDK. */

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { AgentServices } from '../agents/services.ts';
import { validMessages } from './mcp-messages.ts';

/** Serves one MCP client over a transport (by default, standard input and output) until the client disconnects. */
export async function serve(
  services: AgentServices,
  transport: Transport = new StdioServerTransport(validMessages(process.stdin, process.stdout)),
  input: Pick<NodeJS.ReadStream, 'once'> = process.stdin,
): Promise<void> {
  const server = new Server(
    { name: 'selector-lens', title: 'Selector Lens', version: services.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: services.instructions,
      // The server never requests input from users, so it needs no validator. The default validator would compile code
      // from schemas.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not supported' }),
      },
    },
  );
  let roots: Promise<void> = Promise.resolve();
  const readRoots = () => {
    roots = rootsOf(server).then((uris) => services.open(uris));
  };
  server.oninitialized = readRoots;
  server.setNotificationHandler(RootsListChangedNotificationSchema, readRoots);
  serveTools(server, services, () => roots);
  servePages(server, services);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport of the SDK does not detect the end of its input.
    input.once('end', resolve);
  });
  await server.connect(transport);
  await closed;
}

/** Returns the folders (roots) of a client; none if the client does not support roots. */
async function rootsOf(server: Server): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    return (await server.listRoots()).roots.map(({ uri }) => uri);
  } catch {
    return [];
  }
}

const annotations = { readOnlyHint: true };

function serveTools(server: Server, { tools, call }: AgentServices, ready: () => Promise<void>): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, required: [...inputSchema.required] },
      outputSchema: { type: 'object' as const, properties: outputSchema.properties },
      annotations,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    await ready();
    const { text, isError } = await call(params.name, params.arguments);
    return { content: [{ type: 'text', text }], isError, ...(!isError && { structuredContent: structured(text) }) };
  });
}

/** Returns the data of an answer, with the line that marks it as data. */
function structured(text: string): Readonly<Record<string, unknown>> {
  const [notice = '', data = '{}'] = text.split('\n', 2);
  return { notice, ...JSON.parse(data) };
}

function servePages(server: Server, { pages, prompt }: AgentServices): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: pages.map(({ uri, name, description }) => ({ uri, name, description, mimeType: 'text/markdown' })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const page = pages.find((each) => each.uri === uri);
    if (page === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such resource.');
    return { contents: [{ uri, mimeType: 'text/markdown', text: page.text() }] };
  });
  const { name, title, description, argument } = prompt;
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name, title, description, arguments: [argument] }],
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    if (params.name !== name) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt.');
    const text = prompt.text(params.arguments?.[argument.name]);
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}
