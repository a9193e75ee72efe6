/** The documentation site: https://vitepress.dev/reference/site-config. */
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { tryIt } from './try-it.ts';

const docs = fileURLToPath(new URL('..', import.meta.url));
const repository = 'https://github.com/selector-lens/selector-lens';
const base = '/selector-lens/';

const page = (text: string, link: string) => ({ text, link });
const pagesIn = (folder: string) =>
  existsSync(join(docs, folder))
    ? readdirSync(join(docs, folder))
        .filter((name) => name.endsWith('.md') && name !== 'README.md')
        .map((name) => page(name.slice(0, -'.md'.length), `/${folder}/${name.slice(0, -'.md'.length)}`))
    : [];

export default defineConfig({
  base,
  title: 'Selector Lens',
  description: 'What a change of Kubernetes manifests means, before you merge it.',
  lang: 'en-US',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  rewrites: {
    'rules/README.md': 'rules/index.md',
    'commands/README.md': 'commands/index.md',
    'policies/README.md': 'policies/index.md',
  },
  head: [['link', { rel: 'icon', href: `${base}playground/icon.png` }]],
  // Pages of the repository outside of docs/ are on GitHub; the playground is added after the build.
  ignoreDeadLinks: [/^https?:/, /\/playground\//],
  markdown: {
    config(markdown) {
      markdown.use(tryIt, { base, repository });
    },
  },
  transformPageData({ relativePath }) {
    if (!relativePath.startsWith('rules/')) return {};
    return { frontmatter: { outline: false, ...(relativePath === 'rules/index.md' && { pageClass: 'rule-index' }) } };
  },
  themeConfig: {
    logo: { src: '/icon.png', alt: '' },
    search: {
      provider: 'local',
      options: {
        // People paste messages: the pages of rules contain them, word for word.
        miniSearch: { searchOptions: { fuzzy: 0.1, boostDocument: (id: string) => (id.includes('/rules/') ? 4 : 1) } },
      },
    },
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: repository }],
    outline: [2, 3],
    nav: [
      page('Get started', '/start/pull-request'),
      page('Rules', '/rules/'),
      page('Commands', '/commands/'),
      { text: 'Playground', link: '/playground', activeMatch: posix.join(base, 'playground') },
      { text: '0.1', items: [{ text: 'Changes', link: `${repository}/blob/main/CHANGELOG.md` }] },
    ],
    sidebar: [
      {
        text: 'Get started',
        items: [
          page('In your pull request', '/start/pull-request'),
          page('In your editor', '/vscode'),
          page('My first network policy', '/start/network-policy'),
          page('Adopt recommended labels', '/start/recommended-labels'),
          page('Why a finding appears', '/start/findings'),
          page('Playground', '/playground'),
        ],
      },
      {
        text: 'I use …',
        items: [
          page('Argo CD', '/start/argo-cd'),
          page('Flux', '/start/flux'),
          page('Helm', '/start/helm'),
          page('Cilium', '/start/cilium'),
          page('Terraform', '/start/terraform'),
          page('cdk8s', '/start/cdk8s'),
          page('Other editors', '/editors'),
          page('Coding agents', '/agents'),
        ],
      },
      {
        text: 'Guides',
        items: [
          page('Continuous integration', '/ci'),
          page('Reviews', '/review'),
          page('Disable rules', '/disabling-rules'),
          page('Rename and refactor', '/refactoring'),
          page('Selector Map', '/map'),
          page('Kustomize', '/kustomize'),
          page('Helm charts', '/charts'),
          page('GitOps', '/gitops'),
          page('Policies of other systems', '/policies/'),
          page('Scopes', '/scopes'),
          page('References by name', '/references'),
          page('Selectors in commands', '/selectors-in-commands'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Rules', '/rules/'),
          { text: 'Commands', link: '/commands/', collapsed: true, items: pagesIn('commands') },
          page('Settings', '/settings'),
          page('Configuration of a team', '/configuration'),
          page('Library', '/library'),
          page('Language server protocol', '/protocol'),
          page('Comparison with other tools', '/comparison'),
        ],
      },
      {
        text: 'Contribute',
        collapsed: true,
        items: [
          page('Architecture', '/architecture'),
          page('Catalogue of kinds', '/catalogue'),
          page('Precision', '/precision'),
          page('Measures without telemetry', '/measures'),
          page('Releases', '/releasing'),
        ],
      },
    ],
    footer: { message: 'Apache License 2.0. This site sets no cookies and counts no visits.' },
  },
});
