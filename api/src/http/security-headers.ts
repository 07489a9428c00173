import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from './context.ts';

/**
 * The headers of reliability, "Settings". They are the same for every answer, so helmet makes them once.
 * @param publicUrl - HSTS is sent only where the site is https
 */
export function securityHeaders(publicUrl: string): Middleware {
  const isHttps = publicUrl.startsWith('https:');
  const withHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Emotion writes style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // For browsers and plug-ins that are gone.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const request = new IncomingMessage(new Socket());
  const answer = new ServerResponse(request);
  withHeaders(request, answer, (error) => {
    if (error !== undefined) throw error;
  });
  const headers = new Map(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
  return (ctx, next) => {
    ctx.res.setHeaders(headers);
    return next();
  };
}
