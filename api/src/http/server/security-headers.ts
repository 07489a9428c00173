import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { isApiPath } from '../errors/unanswered.ts';
import type { Middleware } from '../context.ts';

/** What a page of the site may load, and who may frame it. */
const pagePolicy = {
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
};

/** An answer of the API is no page: it loads nothing. */
const apiPolicy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/**
 * The headers of docs/PRODUCT.md, "Headers". They are the same for every page and for every answer of the API, so
 * helmet makes them once. Those of the API are few, since each lead pays for them.
 * @param publicUrl - HSTS is sent only where the site is https
 */
export function securityHeaders(publicUrl: string): Middleware {
  const forAll = {
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    // For browsers and plug-ins that are gone.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
  const ofPages = headersOf({
    ...forAll,
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy },
    xFrameOptions: { action: 'deny' },
  });
  const ofApi = headersOf({
    ...forAll,
    contentSecurityPolicy: { useDefaults: false, directives: apiPolicy },
    // Said by the policy already, and of use to pages alone.
    xFrameOptions: false,
    originAgentCluster: false,
  });
  return (ctx, next) => {
    ctx.res.setHeaders(isApiPath(ctx.path) ? ofApi : ofPages);
    return next();
  };
}

/** What helmet sets on an answer. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(answer.req, answer, (error) => {
    if (error !== undefined) throw error;
  });
  return new Map(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
}
