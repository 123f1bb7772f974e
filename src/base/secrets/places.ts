/**
 * Returns a function that finds the next place of any of these characters. The engine searches for one character much faster than a loop does for
 * several.
 */
export function placesOf(text: string, characters: readonly string[]): (from: number) => number {
  const next = characters.map(() => -2);
  return (from) => {
    let first = text.length;
    for (let index = 0; index < characters.length; index++) {
      let place = next[index] as number;
      if (place !== -1 && place < from) {
        place = text.indexOf(characters[index] as string, from);
        next[index] = place;
      }
      if (place !== -1 && place < first) first = place;
    }
    return first;
  };
}
