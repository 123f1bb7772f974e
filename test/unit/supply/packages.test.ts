import { describe, expect, it } from 'vitest';
import { licenceProblems } from '../../../scripts/supply/licences.mjs';
import { lockFileProblems } from '../../../scripts/supply/lock-file.mjs';

describe('the check of the licences of packages', () => {
  it('accepts what may be shipped, and tools under licences that may not', () => {
    const installed = {
      '': {},
      'node_modules/lit-html': { license: 'BSD-3-Clause' },
      'node_modules/a': { license: 'MPL-2.0' },
    };
    expect(licenceProblems([{ name: 'lit-html', licence: 'BSD-3-Clause' }], installed)).toEqual([]);
  });

  it('refuses a tool’s licence in the package', () => {
    expect(licenceProblems([{ name: 'a', licence: 'MPL-2.0' }], {})).toEqual([
      'a is in the package, and its licence may not be: MPL-2.0',
    ]);
  });

  it('refuses an unreviewed licence, and a missing one', () => {
    const installed = { 'node_modules/x/node_modules/@s/a': { license: 'GPL-3.0-only' }, 'node_modules/b': {} };
    expect(licenceProblems([], installed)).toEqual([
      '@s/a is a tool with a licence that is not known here: GPL-3.0-only',
      'b is a tool with a licence that is not known here: none',
    ]);
  });

  it('accepts the licence of the package that brings a part for another platform', () => {
    const installed = {
      'node_modules/tool': { license: 'MIT', optionalDependencies: { 'tool-darwin': '1.0.0' } },
      'node_modules/tool-darwin': {},
    };
    expect(licenceProblems([], installed)).toEqual([]);
  });
});

describe('a lock file', () => {
  const integrity = 'sha512-x';

  it('contains checksums and no addresses', () => {
    const installed = {
      '': {},
      'node_modules/a': { integrity },
      'node_modules/for-another-platform': { optional: true },
    };
    expect(lockFileProblems(installed)).toEqual([]);
  });

  it('is refused with the address of a mirror, and without a checksum', () => {
    const resolved = 'https://npm.example.internal/a.tgz';
    expect(lockFileProblems({ 'node_modules/a': { integrity, resolved }, 'node_modules/b': {} })).toEqual([
      `node_modules/a names where it comes from: ${resolved}`,
      'node_modules/b has no checksum',
    ]);
  });
});
