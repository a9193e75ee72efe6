/** Tests which URLs name one repository, and which remotes a git configuration has. */

import assert from 'node:assert/strict';
import { repositoryKey } from '../../../server/src/manifests/gitops/repository-url.ts';
import { branchIn, remotesIn, submodulesIn } from '../../../server/src/workspace/gitops/git-remotes.ts';

describe('the URLs of a repository', () => {
  it('are equal for every protocol, user and port', () => {
    const urls = [
      'https://git.example.com/team/shop',
      'https://git.example.com/team/shop.git',
      'https://user:to@ken@Git.Example.com/Team/Shop/',
      'ssh://git@git.example.com:2222/team/shop.git',
      'git@git.example.com:team/shop.git',
      ' git://git.example.com/team/shop ',
    ];
    assert.deepEqual([...new Set(urls.map(repositoryKey))], ['git.example.com/team/shop']);
  });

  it('are different for other hosts and paths', () => {
    const urls = [
      'https://a.example/shop',
      'https://b.example/shop',
      'https://a.example/shop/x',
      'https://a.example/x@y',
    ];
    assert.deepEqual(urls.map(repositoryKey), [
      'a.example/shop',
      'b.example/shop',
      'a.example/shop/x',
      'a.example/x@y',
    ]);
  });
});

describe('the remotes in a git configuration', () => {
  it('are all URLs of all remotes', () => {
    const config = `
[core]
	bare = false
[remote "origin"]
	url = git@git.example.com:team/shop.git ; a comment
	pushurl = "https://push.example.com/shop"
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
[REMOTE "fork"]
	URL=company:me/shop
[url "https://git.example.com/"]
	insteadOf = company:
`;
    assert.deepEqual(remotesIn(config), [
      'git.example.com/team/shop',
      'push.example.com/shop',
      'git.example.com/me/shop',
    ]);
  });

  it('do not identify a sparse checkout', () => {
    const remote = '[remote "origin"]\nurl = https://a.example/shop\n';
    assert.deepEqual(remotesIn(`${remote}[core]\nsparseCheckout = true`), []);
    assert.deepEqual(remotesIn(`[core]\nsparseCheckout = true\n${remote}[core]\nsparseCheckout = false`), [
      'a.example/shop',
    ]);
  });

  it('are empty for other text', () => {
    for (const text of ['', '[remote "x"', '[remote "x"]\nurl', '[remote "x"]\nurl = ""', '= x', 'url = a'])
      assert.deepEqual(remotesIn(text), [], text);
  });
});

describe('the current branch', () => {
  it('is that of HEAD, unless HEAD is a commit', () => {
    assert.equal(branchIn('ref: refs/heads/team/next\n'), 'team/next');
    for (const text of ['0123456789abcdef\n', '', 'ref: refs/tags/v1\n']) assert.equal(branchIn(text), undefined);
  });
});

describe('the submodules', () => {
  it('are the folders in a .gitmodules', () => {
    const text = '[submodule "a"]\n\tpath = vendor/a\n\turl = ../a.git\n[submodule "b"]\n  Path="b c" ; here\n';
    assert.deepEqual(submodulesIn(text), ['vendor/a', 'b c']);
    assert.deepEqual(submodulesIn('[submodule "a"]\nurl = path = x\npath =\n'), []);
  });
});
