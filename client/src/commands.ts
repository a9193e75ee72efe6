/** The identifiers of all commands. `package.json` declares the same identifiers; a test compares them. */

export const commands = {
  getStarted: 'selectorLens.getStarted',
  openSample: 'selectorLens.openSample',
  showCommands: 'selectorLens.showCommands',
  openLevelSetting: 'selectorLens.openLevelSetting',
  showMatches: 'selectorLens.showMatches',
  showMap: 'selectorLens.showMap',
  peekMatches: 'selectorLens.peekMatches',
  copySelector: 'selectorLens.copySelector',
  openMatch: 'selectorLens.openMatch',
  showReferences: 'selectorLens.showReferences',
  pinMatches: 'selectorLens.pinMatches',
  unpinMatches: 'selectorLens.unpinMatches',
  chooseKinds: 'selectorLens.chooseKinds',
  chooseLabelColumns: 'selectorLens.chooseLabelColumns',
  canReach: 'selectorLens.canReach',
  choosePerspective: 'selectorLens.choosePerspective',
  trySelector: 'selectorLens.trySelector',
  insertSelector: 'selectorLens.insertSelector',
  labelMatches: 'selectorLens.labelMatches',
  adoptLabels: 'selectorLens.adoptLabels',
  explainObject: 'selectorLens.explainObject',
  openRulePage: 'selectorLens.openRulePage',
  showChanges: 'selectorLens.showChanges',
  refreshChanges: 'selectorLens.refreshChanges',
  reviewChanges: 'selectorLens.reviewChanges',
  reindex: 'selectorLens.reindex',
  restartServer: 'selectorLens.restartServer',
  showLog: 'selectorLens.showLog',
} as const;

export const commandNames: readonly string[] = Object.values(commands);
