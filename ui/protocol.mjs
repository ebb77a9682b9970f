// Types of the messages: `make protocol` writes src/lib/protocol.d.ts, or the file that is named.
import { writeFileSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { compile } from 'json-schema-to-typescript';

/** Return the schema without titles of properties, which would become types of their own. */
const untitled = (value, isName = false) =>
  Array.isArray(value)
    ? value.map((each) => untitled(each))
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => isName || name !== 'title')
            .map(([name, each]) => [name, untitled(each, name === 'properties' || name === '$defs')]),
        )
      : value;

const text = await compile(untitled(await json(process.stdin)), 'Protocol', {
  additionalProperties: false,
  bannerComment: '// Made of the server’s message models by `make protocol`. Not written by hand.',
  unreachableDefinitions: true,
  style: { singleQuote: true },
});
const crossReference = / \*\n \* This interface was referenced by `Protocol`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g;
const onlyCrossReference = /\/\*\*\n \* This interface was referenced by `Protocol`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g;
writeFileSync(process.argv[2] ?? new URL('src/lib/protocol.d.ts', import.meta.url), text.replace(onlyCrossReference, '').replace(crossReference, ''));
