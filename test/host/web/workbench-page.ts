/**
 * The page of VS Code for the Web, from the workbench that code-server contains: without a remote authority in its
 * configuration it equals vscode.dev, without a server and with extensions in a web worker.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryScheme } from './memory-scheme.ts';

export interface PageOptions {
  /** `localhost:8080`: a secure context, and a name that the policy of the extension host's iframe allows. */
  readonly authority: string;
  /** `lib/vscode` of the package. */
  readonly vscode: string;
  /** The number of extensions at `/extension/0`, `/extension/1`, ... */
  readonly extensions: number;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The name of the folder that the window shows. */
  readonly workspace: string;
}

/** The identity of the extension with the files, which may use proposed APIs. */
export const memoryExtension = { publisher: 'test', name: 'memory-files' };

/** Returns the HTML of the page. */
export async function workbenchPage({
  authority,
  vscode,
  extensions,
  settings,
  workspace,
}: PageOptions): Promise<string> {
  const template = await readFile(join(vscode, 'out/vs/code/browser/workbench/workbench.html'), 'utf8');
  const product: { commit?: string } = JSON.parse(await readFile(join(vscode, 'product.json'), 'utf8'));
  const uri = (path: string) => ({ scheme: 'http', authority, path });
  const numbers = Array.from({ length: extensions }, (_, index) => index);
  const configuration = {
    additionalBuiltinExtensions: [uri('/memory-files'), ...numbers.map((each) => uri(`/extension/${each}`))],
    configurationDefaults: settings,
    // Without these, code-server's workbench does not start.
    ...{ userDataPath: '/', isEnabledFileDownloads: true, isEnabledFileUploads: true },
    ...{ isEnabledCoderGettingStarted: false },
    productConfiguration: {
      enableTelemetry: false,
      extensionEnabledApiProposals: {
        [`${memoryExtension.publisher}.${memoryExtension.name}`]: ['fileSearchProvider'],
      },
      webviewContentExternalBaseUrlTemplate: `http://{{uuid}}.${authority}/static/out/vs/workbench/contrib/webview/browser/pre/`,
      // The extension host in an iframe of another origin, as on vscode.dev.
      webEndpointUrlTemplate: `http://{{uuid}}.${authority}/static`,
      commit: product.commit ?? 'a'.repeat(40),
      quality: 'stable',
    },
    folderUri: { scheme: memoryScheme, authority: '', path: `/${workspace}` },
  };
  const origin = `http://${authority}`;
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: `${origin}/static`,
    WORKBENCH_NLS_FALLBACK_URL: `${origin}/static/out/nls.messages.js`,
    WORKBENCH_NLS_URL: `${origin}/empty.js`,
    BASE: origin,
    VS_BASE: origin,
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** Reverts the changes of code-server in VS Code's workbench for its own server. */
const changes: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Settings are stored in the browser, not on the disk of a server.
  [
    /\.file\(this\.userDataPath\)\.with\(\{scheme:(\w+)\.vscodeRemote\}\)/,
    '.file("/").with({scheme:$1.vscodeUserData})',
  ],
  // There is no server to connect to.
  [/,remoteAuthority:location\.host\}/, '}'],
  // For built-in extensions with code, the package contains only the code for Node.
  [
    /this\.builtinExtensionsPromises=(\w+)\.map\(/,
    'this.builtinExtensionsPromises=$1.filter(e=>!e.packageJSON.browser).map(',
  ],
];

/** Returns the script of the workbench without the changes of code-server. */
export async function workbenchScript(vscode: string): Promise<string> {
  const text = await readFile(join(vscode, 'out/vs/code/browser/workbench/workbench.js'), 'utf8');
  return changes.reduce((before, [pattern, replacement]) => {
    if (!pattern.test(before)) throw new Error(`The workbench of this code-server does not contain ${pattern}.`);
    return before.replace(pattern, replacement);
  }, text);
}
