// Node runs this file without the condition `source`, so that a package's name resolves to its built files.
await import(process.argv[2]);
