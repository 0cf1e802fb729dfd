// Beginnings of tokens that name their vendor, beside the forms of gitleaks (token-forms/). Written by hand from what such
// tokens look like; not checked against each vendor's documentation, which is where to look one up. GitHub's list has the names of
// vendors: https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns. A token is the
// beginning and at least `min` characters of `[A-Za-z0-9_-]`, one of them a digit.

type Prefixes = { kind: string; min: number; begins: readonly string[] };

// oxfmt-ignore
export const tokenPrefixes: readonly Prefixes[] = [
  { kind: 'aws-key', min: 40, begins: ['ABSK'] },
  { kind: 'google-key', min: 20, begins: ['GOCSPX-', 'AQ\\.Ab8', '1//0'] },
  { kind: 'gitlab-token', min: 16, begins: ['glrt-', 'gldt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'glcbt-', 'glffct-', 'gloas-'] },
  { kind: 'vault-token', min: 20, begins: ['hvb\\.', 'hvr\\.'] },
  { kind: 'api-key', min: 20, begins: ['nvapi-', 'r8_', 'xai-', 'pplx-', 'lsv2_pt_', 'lsv2_sk_', 'fw_', 'tgp_v1_'] },
  { kind: 'token', min: 12, begins: ['rzp_live_', 'rzp_test_'] },
  {
    kind: 'token', min: 20,
    begins: [
      'figd_', 'sntrys_', 'sntryu_', 'phc_', 'phx_', 'tskey-auth-', 'tskey-api-', 'tskey-client-', 'sbp_', 'sb_secret_', 're_',
      'whsec_', 'ATATT3x', 'ATCTT3x', 'ATBB', 'NRAK-', 'NRJS-', 'NRII-', 'sq0atp-', 'sq0csp-', 'bkua_', 'CCIPAT_', 'dp\\.(?:pt|ct|sa|scim|audit)\\.',
      'dp\\.st\\.[a-z0-9_-]{1,40}\\.', 'PMAK-', 'pnu_', 'rdme_', 'ntn_', 'xkeysib-', 'xsmtpsib-', 'nfp_', 'sgp_', 'fm2_', 'fo1_', 'rnd_',
      'HRKU-', 'dckr_oat_', 'dckr_pat_', 'ptr_', 'n8n_api_', 'CFPAT-', 'tfp_', 'essu_', 'CCDB1_', 'napi_', 'hcaik_', 'AstraCS:', 'mlsn\\.',
      'xnd_(?:production|development)_', 'cfut_', 'cfat_', 'mdb_sa_sk_', 'y0_Ag', 'pat-(?:na|eu)1-', 'LTAI', 'AKID', 'secret_', 'FLWSECK-',
      'FLWSECK_', 'ory_at_', 'ory_rt_', 'ory_ac_', 'shippo_live_', 'shippo_test_', 'lin_oauth_', 'vcp_', 'vci_', 'vca_', 'vck_', 'sha256~', 
      'dt0c01\\.', 'pscale_oauth_', 'rpa_', 'key-[0-9a-f]{12}', 'apify_api_', 
    ],
  },
];
