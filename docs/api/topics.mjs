// Which classes have a page for each topic of the guide, and which sources belong to which topic.

/** Topics in the order of the guide: the title, the page of the guide, and the sources whose members belong to it. */
const arrayTopics = [
  ["Creation", "arrays-shapes", /^face\/functions\/(creation|ranges|grids|memory)\.ts$/],
  [
    "Shapes and axes",
    "arrays-shapes",
    /^face\/(methods\/(axes|repeating)|functions\/(joining|splitting|editing|rearranging))\.ts$/,
  ],
  [
    "Operators",
    "arrays-operators",
    /^expression\/|^face\/(functions\/(operators|comparisons|bits)|methods\/operators)\.ts$/,
  ],
  ["Reading and converting", "arrays", /^face\/methods\/(values|exports)\.ts$/],
  [
    "Indexing",
    "arrays-indexing",
    /^face\/(functions\/(indexing|multi-index)|methods\/(indexing|selecting|updates))\.ts$/,
  ],
  ["Reductions", "arrays-reductions", /^face\/(methods\/reductions|functions\/along-axis)\.ts$/],
  ["Scans", "arrays-scans", /^face\/(functions|methods)\/scans\.ts$/],
  [
    "Selection and statistics",
    "arrays-selection",
    /^face\/(functions\/(selection|statistics)|methods\/statistics)\.ts$/,
  ],
  ["Sorting", "arrays-sorting", /^face\/(functions|methods)\/sorting\.ts$/],
  ["Linear algebra", "arrays-linear-algebra", /^face\/(functions\/(linear|polynomials)|methods\/linear)\.ts$/],
  ["Fourier transforms", "arrays-fourier", /^face\/functions\/(fourier|windows)\.ts$/],
  ["Records", "arrays-shapes", /^face\/functions\/records\.ts$/],
  ["Files and images", "arrays-files", /^face\/functions\/(files|text-files)\.ts$/],
].map(([title, guide, sources]) => ({ title, guide, sources }));

/** Members of these sources stay on the page of the class. */
const ownSources = /^array\/|^storage\/array-ref\.ts$|^face\/functions\/(random|special)\.ts$/;

const split = { "array/classes/Arrays.md": arrayTopics, "array/classes/DeviceArray.md": arrayTopics };

/** Paths of the pages that are split by topic. */
export const splitPages = Object.keys(split);

/** Returns the topic of a member by its source below `src`, or undefined if it stays on the page of the class. */
export function topicOf(page, name, source) {
  const topic = split[page].find(({ sources }) => sources.test(source));
  if (topic === undefined && !ownSources.test(source)) {
    throw new Error(`docs/api/topics.mjs must assign a topic to ${source}, the source of '${name}' in ${page}`);
  }
  return topic;
}

/** Returns the topics of a page, in order. */
export function topicsOf(page) {
  return split[page];
}
