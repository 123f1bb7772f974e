import { type Translation, speak } from '../util/l10n';

/** Speaks what the page was made with; English where it names nothing else. */
export function speakAsPage(page: Document): void {
  const text = page.querySelector('#translation')?.textContent;
  if (text) speak(JSON.parse(text) as Translation);
}
