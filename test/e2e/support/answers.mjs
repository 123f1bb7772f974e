/** Returns what a person can say who only hears the rows of the side bar and the status bar read out. @param {string} tree */
export function answersOf(tree) {
  const lines = tree.split('\n');
  const counts = /(?<needing>\d+) needs? you · (?<stuck>\d+) stuck/.exec(tree)?.groups ?? {};
  const rows = lines.flatMap((line) => {
    const label = /treeitem "(?<label>(?:[^"\\]|\\.)*)"/.exec(line)?.groups?.label;
    return label === undefined ? [] : [label];
  });
  const agents = rows.flatMap((label) => {
    const said =
      /^(?<who>.+), (?<state>waiting for you|stuck|working), (?:(?<since>just now|\d+ (?:minutes?|hours?)), )?(?<agent>Claude Code)(?:, (?<where>(?!asks: )(?:[^,:]+, )?[^,:]+))?(?:, (?<why>[^,]+: .+|[^:]+))?$/.exec(
        label,
      )?.groups;
    return said ? [{ ...said }] : [];
  });
  return { ...counts, agents };
}
