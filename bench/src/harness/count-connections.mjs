// Loaded into the processes of the product by NODE_OPTIONS. Appends the port of each connection that a process starts to
// a file in the folder COUNT_CONNECTIONS, named after the process.
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

const folder = process.env['COUNT_CONNECTIONS'];
const name = process.argv[1]?.includes('worker') ? 'worker' : 'api';
const connect = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect')?.value;
Socket.prototype.connect = function connectCounted(...options) {
  const [first] = options.flat();
  const port = typeof first === 'object' ? first?.port : first;
  if (folder !== undefined) appendFileSync(`${folder}/${name}`, `${port}\n`);
  return Reflect.apply(connect, this, options);
};
