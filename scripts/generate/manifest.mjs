/**
 * Reads and writes the manifest with its texts. In package.json each text is the name of one in package.nls.json; a generator that writes parts of
 * the manifest writes the texts themselves, and they are named here by their place.
 */
const PATH = 'package.json';
const TEXTS = 'package.nls.json';

/** Fields that hold a text, or a list of texts. */
const FIELDS = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'patternErrorMessage',
  'contents',
  'altText',
  'markdown',
]);

/** Returns package.json with the texts in place of their names. */
export function readManifest(read) {
  const texts = JSON.parse(read(TEXTS));
  const withTexts = (value) => {
    if (typeof value === 'string') return texts[/^%(.+)%$/.exec(value)?.[1] ?? ''] ?? value;
    if (Array.isArray(value)) return value.map(withTexts);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one)]));
  };
  return withTexts(JSON.parse(read(PATH)));
}

/** Returns the files of a manifest with its texts. */
export function manifestFiles(manifest) {
  const texts = {};
  const name = (key, text) => {
    texts[key] = text;
    return `%${key}%`;
  };
  const named = {
    ...manifest,
    description: name('description', manifest.description),
    capabilities: namesIn(manifest.capabilities, 'capability', name),
    contributes: contributions(manifest.contributes, name),
  };
  return [
    { path: PATH, text: `${JSON.stringify(named, null, 2)}\n` },
    { path: TEXTS, text: `${JSON.stringify(texts, null, 2)}\n` },
  ];
}

function contributions(all, name) {
  const { commands, views, viewsWelcome, configuration, walkthroughs } = all;
  return {
    ...all,
    commands: commands.map((one) => ({ ...one, title: name(`command.${short(one.command)}`, one.title) })),
    views: Object.fromEntries(
      Object.entries(views).map(([container, list]) => [
        container,
        list.map((view) => ({ ...view, name: name(`view.${short(view.id)}`, view.name) })),
      ]),
    ),
    viewsWelcome: viewsWelcome.map((one, index) => namesIn(one, `welcome.${index + 1}`, name)),
    // Without a number VS Code sorts by name, and the most important section could be anywhere.
    configuration: configuration.map((section, at) => ({
      ...section,
      order: at + 1,
      title: name(`settings.${section.title.toLowerCase().replaceAll(' ', '-')}`, section.title),
      properties: Object.fromEntries(
        Object.entries(section.properties).map(([id, schema], order) => [
          id,
          namesIn({ ...schema, order: order + 1 }, `setting.${short(id)}`, name),
        ]),
      ),
    })),
    walkthroughs: walkthroughs.map((one) => {
      const path = `walkthrough.${one.id}`;
      const steps = one.steps.map((step) => namesIn(step, `${path}.${step.id}`, name));
      return { ...namesIn({ ...one, steps: undefined }, path, name), steps };
    }),
  };
}

/** Fields whose names add nothing to a path: the description of a value, and levels of a schema. */
const UNNAMED = new Set([
  'description',
  'markdownDescription',
  'contents',
  'properties',
  'items',
  'additionalProperties',
]);

/** Replaces the texts of one value by names, according to its path. */
function namesIn(value, path, name) {
  if (Array.isArray(value)) return value.map((one, index) => namesIn(one, `${path}.${index + 1}`, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => {
      const inner = UNNAMED.has(field) ? path : `${path}.${field}`;
      if (typeof one === 'string' && FIELDS.has(field)) return [field, name(inner, one)];
      if (!FIELDS.has(field) || !Array.isArray(one)) return [field, namesIn(one, inner, name)];
      return [field, one.map((text, index) => name(`${path}.${String(value.enum?.[index] ?? index + 1)}`, text))];
    }),
  );
}

function short(id) {
  return id.replace(/^unstuck\./, '');
}
