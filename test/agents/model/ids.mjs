let made = 0;

/** An id that no other call or answer has. @param {string} prefix */
export function freshId(prefix) {
  made += 1;
  return `${prefix}_${String(made).padStart(20, '0')}`;
}
