/** The HTML page of the Selector Map: it runs one script and loads only resources of the extension. */
import * as vscode from 'vscode';

/**
 * Returns the page. `root` is the folder of the script and the style sheet; no text from a workspace is part of the page.
 */
export function mapPage(webview: vscode.Webview, root: vscode.Uri): string {
  const [script, style] = ['map.js', 'map.css'].map((name) => webview.asWebviewUri(vscode.Uri.joinPath(root, name)));
  const nonce = newNonce();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; img-src blob:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Selector Map</title>
</head>
<body>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/** Returns a random number that cannot be guessed, for the content security policy of the page. */
function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
