/**
 * Reports of YAML documents what a comment on a line says: `# other: YAML: Map keys must be unique: owner: red` is an error
 * with this source and message on the first `owner: red` of the line.
 */
const vscode = require('vscode');

const reported = /# other: (\S+): ([^:]+): (.+)$/;

exports.activate = ({ subscriptions }) => {
  const collection = vscode.languages.createDiagnosticCollection('stand-in-yaml');
  const check = (document) => {
    if (document.languageId === 'yaml')
      collection.set(document.uri, document.getText().split('\n').flatMap(diagnostics));
  };
  subscriptions.push(
    collection,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  );
  vscode.workspace.textDocuments.forEach(check);
};

function diagnostics(line, number) {
  const [, source, message, words] = reported.exec(line) ?? [];
  if (words === undefined) return [];
  const start = line.indexOf(words);
  const diagnostic = new vscode.Diagnostic(new vscode.Range(number, start, number, start + words.length), message);
  diagnostic.source = source;
  return [diagnostic];
}
