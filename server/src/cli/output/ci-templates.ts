/** The configurations of CI systems that `init` writes. */

const repository = 'https://github.com/selector-lens/selector-lens';

interface CiTemplate {
  /** The path relative to the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export const ciSystems = ['github', 'gitlab', 'pre-commit'] as const;

export type CiSystem = (typeof ciSystems)[number];

export const ciTemplates: Readonly<Record<CiSystem, CiTemplate>> = {
  github: {
    path: '.github/workflows/selector-lens.yml',
    text: `# Checks the labels and selectors of Kubernetes manifests.
name: Selector Lens

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v5
      # Pin this to a release or a commit.
      - uses: selector-lens/selector-lens@main
        with:
          paths: .
          fail-on: warning # a misspelled selector is a warning
`,
  },
  gitlab: {
    path: '.gitlab-ci.yml',
    text: `# Checks the labels and selectors of Kubernetes manifests, and shows the findings in merge requests.
selector-lens:
  image: node:24
  script:
    # Pin this to a release or a commit: ...selector-lens.git#COMMIT
    - npm install --global --install-links git+${repository}.git
    # A misspelled selector is a warning.
    - selector-lens check --fail-on warning --format gitlab > gl-code-quality-report.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
`,
  },
  'pre-commit': {
    path: '.pre-commit-config.yaml',
    text: `# Checks the labels and selectors of Kubernetes manifests before each commit.
repos:
  - repo: ${repository}
    # 'pre-commit autoupdate' replaces this by the latest release.
    rev: main
    hooks:
      - id: selector-lens
        # A misspelled selector is a warning. The last argument must be '--'.
        args: [--fail-on=warning, --]
`,
  },
};
