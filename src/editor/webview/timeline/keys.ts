import { type TimelineSteps, sameResult } from './steps';

/** Action of a key on the timeline. */
export type TimelineAct =
  | { readonly kind: 'select'; readonly step: number }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'whole' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'open' };

/** Factor of one zoom step. */
export const ZOOM = 1.25;
const PAGE = 10;

export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Returns the act of a key with `current` selected; null for keys that are not the timeline's. */
export function actOf(key: Key, steps: TimelineSteps, current: number): TimelineAct | null {
  const { first, end } = steps.range;
  if (key.altKey || end <= first) return null;
  const select = (step: number): TimelineAct => ({ kind: 'select', step: Math.max(first, Math.min(end - 1, step)) });
  const jump = key.ctrlKey || key.metaKey;
  switch (key.key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const direction = key.key === 'ArrowLeft' ? -1 : 1;
      if (jump) return select(sameResult(steps, current, direction) ?? current);
      return select(current + direction * (key.shiftKey ? PAGE : 1));
    }
    case 'PageUp':
      return select(current - PAGE);
    case 'PageDown':
      return select(current + PAGE);
    case 'Home':
      return select(first);
    case 'End':
      return select(end - 1);
    case 'Enter':
      return { kind: 'open' };
    default:
  }
  if (jump) return null;
  switch (key.key) {
    case '+':
    case '=':
      return { kind: 'zoom', factor: ZOOM };
    case '-':
      return { kind: 'zoom', factor: 1 / ZOOM };
    case '0':
      return { kind: 'whole' };
    default:
      return null;
  }
}
