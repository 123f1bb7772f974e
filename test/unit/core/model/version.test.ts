import { describe, expect, it } from 'vitest';
import { isTested, versionIn } from '../../../../src/core/model';

describe('the version that an agent writes', () => {
  it('is read from the start of the text, whatever follows it', () => {
    expect(['2.1.329', 'v1.0.0-beta.2', '0.169.0 (abc)', '2.3'].map(versionIn)).toEqual([
      '2.1.329',
      '1.0.0',
      '0.169.0',
      '2.3',
    ]);
  });

  it('is null where a transcript says anything else: the shown version holds digits and points only', () => {
    for (const text of ['', 'unknown', '7', '<b>2.1', '1.2.3.4.5', '99999999.1', undefined])
      expect(versionIn(text), text).toBeNull();
  });
});

describe('a tested release', () => {
  const range = { oldest: '2.1.278', newest: '2.2.4' };

  it('covers its patches, including later ones', () => {
    expect(['2.1.1', '2.1.330', '2.2.900'].map((version) => isTested(version, range))).toEqual([true, true, true]);
  });

  it('does not cover the release before it or after it', () => {
    expect(['2.0.99', '2.3.0', '2.10.0', '3.1.0', '1.2.0'].map((version) => isTested(version, range))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
  });
});
