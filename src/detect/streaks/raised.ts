import { type DetectorId, type RaisedLimit, type RuleId } from '../../core/model';
import { LINE_LENGTH, snippetLine } from '../sayings/snippet';
import { textDigest } from '../../base/util/hash';
import { ruleOf } from './loop';

/** Reason in *Why not stuck* for a rule whose limit a person raised. */
export const YOU_SAID = 'You said it is not stuck';

/** The limits that a person has raised, by rule and call. */
export class RaisedLimits {
  private byRule = new Map<string, Map<string, number>>();

  constructor(limits: readonly RaisedLimit[] = []) {
    this.take(limits);
  }

  /** @param limits at most one for each rule and call: newer feedback replaces older */
  take(limits: readonly RaisedLimit[]): void {
    this.byRule = new Map();
    for (const { detector, rule, call, limit } of limits) {
      const name = ruleOf({ detector, rule });
      const calls = this.byRule.get(name) ?? new Map<string, number>();
      calls.set(call, limit);
      this.byRule.set(name, calls);
    }
  }

  /** Returns the count from which the rule reports one of these calls; 0 where it was not raised. */
  limitFor(detector: DetectorId, rule: RuleId | null, about: readonly { readonly subject: string }[]): number {
    if (this.byRule.size === 0) return 0;
    const calls = this.byRule.get(ruleOf({ detector, rule }));
    if (!calls) return 0;
    return Math.max(0, ...about.map(({ subject }) => calls.get(textDigest(snippetLine(subject, LINE_LENGTH))) ?? 0));
  }
}
