import { createServer } from 'node:http';
import { serve } from './server.ts';

/* For reference: reads a lead and does not store it. */

let id = 0;

serve(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.statusCode = 201;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ id: ++id }));
    });
  }),
);
