// The forms of the records of a transcript: their types and the fields that each has. Values are ignored.

/** Fields whose value names the kind of a record, and fields that hold a nested record. */
const TYPES = ['type', 'kind', 'role', 'subtype'];
const INNER = ['payload', 'data', 'message', 'item', 'event'];

/** @param {string} text JSON Lines; other lines are left out @returns {Set<string>} `event_msg/token_count: info` */
export function formsIn(text) {
  const forms = new Set();
  for (const line of text.split('\n')) {
    const record = parsed(line);
    if (record) add(record, '', forms);
  }
  return forms;
}

/** Lists what only the newer one has; a new type stands for all of its fields. */
export function isNewIn(newer, older) {
  const types = new Set([...older].map((form) => form.split(': ')[0]));
  const fresh = [...newer].filter((form) => !older.has(form));
  const named = fresh.map((form) => (types.has(form.split(': ')[0]) ? form : `type ${form.split(': ')[0]}`));
  return [...new Set(named)].sort((one, other) => (one < other ? -1 : 1));
}

function add(record, above, forms) {
  const types = TYPES.map((key) => record[key]).filter((value) => typeof value === 'string' && value.length < 60);
  const name = [above, ...types].filter(Boolean).join('/');
  for (const [key, value] of Object.entries(record)) {
    forms.add(`${name}: ${key}`);
    if (INNER.includes(key) && isRecord(value)) add(value, name, forms);
  }
}

function parsed(line) {
  try {
    const value = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
