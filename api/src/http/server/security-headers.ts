import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { isApiPath } from '../errors/unmatched.ts';
import type { Middleware } from '../context.ts';

/** Content security policy of the site's pages. */
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

/**
 * Browser features that no page uses. They are turned off, so that an injected script or frame cannot use them either.
 */
const permissionsPolicy = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Content security policy of API responses, which load nothing. */
const apiPolicy = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/** @param publicUrl - HSTS is sent only if the site uses HTTPS */
function forAll(publicUrl: string) {
  return {
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    // These headers are for browsers and plug-ins that are no longer in use.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
}

/** Returns the headers of the API's responses. They are few, to keep the intake of leads fast. */
export function apiHeaders(publicUrl: string): ReadonlyMap<string, string> {
  return headersOf({
    ...forAll(publicUrl),
    contentSecurityPolicy: { useDefaults: false, directives: apiPolicy },
    // The policy covers framing already, and agent clusters matter to pages only.
    xFrameOptions: false,
    originAgentCluster: false,
  });
}

/**
 * Sets the headers of docs/PRODUCT.md, "Headers". They do not depend on the request, so helmet runs once at start.
 * @param publicUrl - HSTS is sent only if the site uses HTTPS
 */
export function securityHeaders(publicUrl: string): Middleware {
  const ofPages = headersOf({
    ...forAll(publicUrl),
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy },
    xFrameOptions: { action: 'deny' },
  }).set('Permissions-Policy', permissionsPolicy);
  const ofApi = new Map(apiHeaders(publicUrl));
  return (ctx, next) => {
    ctx.res.setHeaders(isApiPath(ctx.path) ? ofApi : ofPages);
    return next();
  };
}

/** Returns the headers that helmet sets. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return new Map(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
