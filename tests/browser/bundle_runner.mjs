// Prints a module as a script that sets the global `tested`: `node bundle_runner.mjs /ui/src/device/browserStore.ts`.
import { written } from './bundle.mjs';

process.stdout.write(await written(process.argv[2], { format: 'iife', name: 'tested' }));
