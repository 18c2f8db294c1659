// Which classes have a page for each topic of the guide, and which sources belong to which topic.

/** Topics in the order of the guide: the title, the page of the guide, and the sources whose members belong to it. */
const arrayTopics = [
  ["Creation", "arrays-shapes", /^array\/arrays-(creation|ranges|grids|memory)\.ts$/],
  [
    "Shapes and axes",
    "arrays-shapes",
    /^array\/array(-(views|axes|repeating)|s-(joining|splitting|editing|rearranging))\.ts$/,
  ],
  ["Operators", "arrays-operators", /^expression\/|^array\/array(s-(operators|comparisons)|-operators|-complex)\.ts$/],
  ["Reading and converting", "arrays", /^array\/array-(values|exports|reinterpret)\.ts$/],
  ["Indexing", "arrays-indexing", /^indexing\//],
  ["Reductions", "arrays-reductions", /^array\/array-reductions\.ts$|^reductions\//],
  ["Scans", "arrays-scans", /^scan\//],
  ["Selection and statistics", "arrays-selection", /^selection\//],
  ["Sorting", "arrays-sorting", /^sorting\//],
  ["Linear algebra", "arrays-linear-algebra", /^linear-algebra\//],
  ["Fourier transforms", "arrays-fourier", /^fft\//],
  ["Records", "arrays-shapes", /^records\//],
  ["Files and images", "arrays-files", /^files\//],
].map(([title, guide, sources]) => ({ title, guide, sources }));

/** Members of these sources stay on the page of the class. */
const ownSources = /^array\/(arrays|device-array|array-base)\.ts$|^(random|special)\//;

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
