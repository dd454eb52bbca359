import type { Settings } from '#platform/settings.ts'
import { allScopes } from '#platform/scopes.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post']

/** RFC 8414. */
export function serverMetadata({ baseUrl, oauthRegistration }: Settings): Record<string, unknown> {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/api/oauth/authorize`,
    token_endpoint: `${baseUrl}/api/oauth/token`,
    revocation_endpoint: `${baseUrl}/api/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/api/oauth/introspect`,
    ...(oauthRegistration && { registration_endpoint: `${baseUrl}/api/oauth/register` }),
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', ...clientAuthentication],
    revocation_endpoint_auth_methods_supported: ['none', ...clientAuthentication],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [baseUrl],
    service_documentation: `${baseUrl}/docs`,
  }
}

/** RFC 9728. */
export function resourceMetadata({ baseUrl }: Settings): Record<string, unknown> {
  return {
    resource: baseUrl,
    resource_name: 'Rapport',
    authorization_servers: [baseUrl],
    scopes_supported: allScopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs`,
  }
}
