/** The walkthrough "Get Started": its commands, and the context keys that complete its steps. */
import * as vscode from 'vscode';
import { commands } from './commands.ts';

/** The steps of the walkthrough that are not completed by a command. `package.json` names their context keys in `completionEvents`. */
type Step = 'hovered' | 'fixed';

const completed = new Set<Step>();

/** Marks a step of the walkthrough as completed. */
export function completeStep(step: Step): void {
  if (completed.has(step)) return;
  completed.add(step);
  void vscode.commands.executeCommand('setContext', `selectorLens.${step}`, true);
}

/** Completes the step "fix a label" when an edit removes a problem that this extension reports. `isHiding` tests whether problems are hidden while the user types. */
export function followFixes(isHiding: () => boolean): vscode.Disposable {
  const known = new Map<string, { readonly problems: number; readonly version: number }>();
  const following = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (isHiding()) return;
    for (const uri of uris) {
      const key = uri.toString();
      const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === key);
      if (document === undefined) {
        known.delete(key);
        continue;
      }
      const { version } = document;
      const problems = vscode.languages.getDiagnostics(uri).filter(isOurs).length;
      const before = known.get(key);
      known.set(key, { problems, version });
      if (before !== undefined && problems < before.problems && version > before.version) {
        completeStep('fixed');
        following.dispose();
      }
    }
  });
  return following;
}

export function isOurs({ source }: vscode.Diagnostic): boolean {
  return source === 'selector-lens';
}

/** The commands that need no manifest, and therefore do not start the language server. */
export const commandsWithoutServer: Readonly<Record<string, () => Promise<unknown>>> = {
  [commands.getStarted]: async () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#selectorLens.getStarted`, false),
  [commands.openSample]: async () =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'yaml', content: sample })),
  [commands.showCommands]: async () => vscode.commands.executeCommand('workbench.action.quickOpen', '>Selector Lens: '),
  [commands.openLevelSetting]: async () =>
    vscode.commands.executeCommand('workbench.action.openSettings', 'selectorLens.level'),
};

const extensionId = 'selector-lens.selector-lens';

const sample = `# A sample for Selector Lens. Nothing is applied to a cluster.
apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  # Hover over 'selector' to see what it matches.
  selector:
    app: basket
  ports:
    - port: 80
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels:
    # The API server rejects this value. Place the cursor in it, and press Ctrl+. (Cmd+. on macOS).
    team: Team Blue
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
        tier: backend
    spec:
      containers:
        - name: basket
          image: registry.example/basket:1.0.0
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  minAvailable: 1
  # This selector almost matches.
  selector:
    matchLabels:
      tier: backnd
`;
