/** Returns the entries of an asynchronous call and of its synchronous form, whose options have no signal. */
export function bothForms(name, entry) {
  const [method, ...rest] = name.split(/(?= of )/);
  const args = (e) => {
    const { signal: _, ...options } = entry.args(e)["options?"];
    return { ...entry.args(e), "options?": options };
  };
  return { [name]: entry, [[`${method}Sync`, ...rest].join("")]: { ...entry, args } };
}
