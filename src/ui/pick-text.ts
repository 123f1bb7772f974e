import { signsInLine } from '../util/showable';

/**
 * A text of a transcript as a list shows it. VS Code makes an icon of `$(name)` there, and nothing of a name that it does not know: a shell's
 * `$(pwd)` would be lost.
 */
export function pickText(text: string): string {
  return signsInLine(text).replaceAll('$(', '$ (');
}
