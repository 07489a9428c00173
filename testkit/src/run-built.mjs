// Without the test runner's condition `source` a package's name leads to what the build made of it.
await import(process.argv[2]);
