import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/util/redact';
import { NAMED, TOKENS } from '../../../../src/util/secrets/gitleaks.data';
import { entropyOf } from '../../../../src/util/secrets/tokens';

/** Texts of the form, without the marks around it, which stand for no characters. */
function samples(pattern: string, anyCase: true | undefined, entropy: number): readonly string[] {
  // One rule of gitleaks has a dot where it means one.
  const bare = pattern.replaceAll('xoxe.', 'xoxe\\.').replaceAll('(?![A-Za-z0-9])', '').replaceAll('\\b', '');
  const arbitrary = fc.stringMatching(new RegExp(`^(?:${bare})$`));
  return fc
    .sample(arbitrary, { numRuns: 40, seed: 7 })
    .filter(
      (text) => entropyOf(text) >= entropy && /\d/.test(text) && /[A-Za-z0-9]$/.test(text) && /^[A-Za-z0-9]/.test(text),
    )
    .map((text) => (anyCase ? text.toUpperCase() : text))
    .slice(0, 5);
}

describe('the rules of gitleaks, as data', () => {
  it.each(TOKENS.map((rule) => [rule.id, rule] as const))('find a token of their own form: %s', (_, rule) => {
    const texts = samples(rule.pattern, rule.anyCase, rule.entropy);
    for (const text of texts) expect(redact(`found ${text} here`)).toMatch(/^found \[redacted\]\S* here$/);
  });

  it.each(NAMED.map((rule) => [rule.id, rule] as const))(
    'find a value behind the name of its service: %s',
    (_, rule) => {
      const name = rule.words[0] ?? '';
      for (const text of samples(rule.value, rule.anyCase, rule.entropy))
        expect(redact(`${name.toUpperCase()}_TOKEN = "${text}"`)).toContain('[redacted]');
    },
  );

  it('are hardly ever without a sample', () => {
    const without = TOKENS.filter((rule) => samples(rule.pattern, rule.anyCase, rule.entropy).length === 0);
    expect(without.length).toBeLessThanOrEqual(5);
  });
});
