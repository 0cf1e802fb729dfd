// Forms of tokens by vendor, from gitleaks v8.30.1 (https://github.com/gitleaks/gitleaks), config/gitleaks.toml.
// Made by tools/token-forms.ts: not edited by hand. Their licence:
//
// MIT License
//
// Copyright (c) 2019 Zachary Rice
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

export type TokenForm = { id: string; pattern: string; keywords: readonly string[]; entropy: number };

// oxfmt-ignore
export const tokenForms: readonly TokenForm[] = [
{"id":"1password-secret-key","pattern":"\\bA3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b","keywords":["a3-"],"entropy":3.8},
{"id":"1password-service-account-token","pattern":"ops_eyJ[a-zA-Z0-9+/]{250,}={0,3}","keywords":["ops_"],"entropy":4},
{"id":"adobe-client-secret","pattern":"\\b(p8e-(?i:[a-z0-9]{32}))(?![A-Za-z0-9])","keywords":["p8e-"],"entropy":2},
{"id":"age-secret-key","pattern":"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}","keywords":["age-secret-key-1"],"entropy":0},
{"id":"airtable-personnal-access-token","pattern":"\\b(pat[a-zA-Z0-9]{14}\\.[a-f0-9]{64})\\b","keywords":["airtable"],"entropy":0},
{"id":"alibaba-access-key-id","pattern":"\\b(LTAI(?i:[a-z0-9]{20}))(?![A-Za-z0-9])","keywords":["ltai"],"entropy":2},
{"id":"anthropic-admin-api-key","pattern":"\\b(sk-ant-admin01-[a-zA-Z0-9_\\-]{93}AA)(?![A-Za-z0-9])","keywords":["sk-ant-admin01"],"entropy":0},
{"id":"anthropic-api-key","pattern":"\\b(sk-ant-api03-[a-zA-Z0-9_\\-]{93}AA)(?![A-Za-z0-9])","keywords":["sk-ant-api03"],"entropy":0},
{"id":"artifactory-api-key","pattern":"\\bAKCp[A-Za-z0-9]{69}\\b","keywords":["akcp"],"entropy":4.5},
{"id":"artifactory-reference-token","pattern":"\\bcmVmd[A-Za-z0-9]{59}\\b","keywords":["cmvmd"],"entropy":4.5},
{"id":"authress-service-client-access-key","pattern":"\\b((?:sc|ext|scauth|authress)_(?i:[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.(?-i:acc)[_-][a-z0-9-]{10,32}\\.[a-z0-9+/_=-]{30,120}))(?![A-Za-z0-9])","keywords":["sc_","ext_","scauth_","authress_"],"entropy":2},
{"id":"aws-access-token","pattern":"\\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\\b","keywords":["a3t","akia","asia","abia","acca"],"entropy":3},
{"id":"aws-amazon-bedrock-api-key-long-lived","pattern":"\\b(ABSK[A-Za-z0-9+/]{109,269}={0,2})(?![A-Za-z0-9])","keywords":["absk"],"entropy":3},
{"id":"aws-amazon-bedrock-api-key-short-lived","pattern":"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t","keywords":["bedrock-api-key-"],"entropy":3},
{"id":"azure-ad-client-secret","pattern":"(?<![A-Za-z0-9])([a-zA-Z0-9_~.]{3}\\dQ~[a-zA-Z0-9_~.-]{31,34})(?![A-Za-z0-9])","keywords":["q~"],"entropy":3},
{"id":"clickhouse-cloud-api-secret-key","pattern":"\\b(4b1d[A-Za-z0-9]{38})\\b","keywords":["4b1d"],"entropy":3},
{"id":"clojars-api-token","pattern":"(?i:CLOJARS_[a-z0-9]{60})","keywords":["clojars_"],"entropy":2},
{"id":"cloudflare-origin-ca-key","pattern":"\\b(v1\\.0-[a-f0-9]{24}-[a-f0-9]{146})(?![A-Za-z0-9])","keywords":["cloudflare","v1.0-"],"entropy":2},
{"id":"databricks-api-token","pattern":"\\b(dapi[a-f0-9]{32}(?:-\\d)?)(?![A-Za-z0-9])","keywords":["dapi"],"entropy":3},
{"id":"digitalocean-access-token","pattern":"\\b(doo_v1_[a-f0-9]{64})(?![A-Za-z0-9])","keywords":["doo_v1_"],"entropy":3},
{"id":"digitalocean-pat","pattern":"\\b(dop_v1_[a-f0-9]{64})(?![A-Za-z0-9])","keywords":["dop_v1_"],"entropy":3},
{"id":"digitalocean-refresh-token","pattern":"(?i:\\b(dor_v1_[a-f0-9]{64})(?![A-Za-z0-9]))","keywords":["dor_v1_"],"entropy":0},
{"id":"doppler-api-token","pattern":"dp\\.pt\\.(?i:[a-z0-9]{43})","keywords":["dp.pt."],"entropy":2},
{"id":"duffel-api-token","pattern":"duffel_(?:test|live)_(?i:[a-z0-9_\\-=]{43})","keywords":["duffel_"],"entropy":2},
{"id":"dynatrace-api-token","pattern":"dt0c01\\.(?i:[a-z0-9]{24}\\.[a-z0-9]{64})","keywords":["dt0c01."],"entropy":4},
{"id":"easypost-api-token","pattern":"\\bEZAK(?i:[a-z0-9]{54}\\b)","keywords":["ezak"],"entropy":2},
{"id":"easypost-test-api-token","pattern":"\\bEZTK(?i:[a-z0-9]{54}\\b)","keywords":["eztk"],"entropy":2},
{"id":"facebook-page-access-token","pattern":"\\b(EAA[MC](?i:[a-z0-9]{100,}))(?![A-Za-z0-9])","keywords":["eaam","eaac"],"entropy":4},
{"id":"flutterwave-encryption-key","pattern":"FLWSECK_TEST-(?i:[a-h0-9]{12})","keywords":["flwseck_test"],"entropy":2},
{"id":"flutterwave-secret-key","pattern":"FLWSECK_TEST-(?i:[a-h0-9]{32}-X)","keywords":["flwseck_test"],"entropy":2},
{"id":"flyio-access-token","pattern":"\\b((?:fo1_[\\w-]{43}|fm1[ar]_[a-zA-Z0-9+\\/]{100,}={0,3}|fm2_[a-zA-Z0-9+\\/]{100,}={0,3}))(?![A-Za-z0-9])","keywords":["fo1_","fm1","fm2_"],"entropy":4},
{"id":"frameio-api-token","pattern":"fio-u-(?i:[a-z0-9\\-_=]{64})","keywords":["fio-u-"],"entropy":0},
{"id":"gcp-api-key","pattern":"\\b(AIza[\\w-]{35})(?![A-Za-z0-9])","keywords":["aiza"],"entropy":4},
{"id":"github-app-token","pattern":"(?:ghu|ghs)_[0-9a-zA-Z]{36}","keywords":["ghu_","ghs_"],"entropy":3},
{"id":"github-fine-grained-pat","pattern":"github_pat_\\w{82}","keywords":["github_pat_"],"entropy":3},
{"id":"github-oauth","pattern":"gho_[0-9a-zA-Z]{36}","keywords":["gho_"],"entropy":3},
{"id":"github-pat","pattern":"ghp_[0-9a-zA-Z]{36}","keywords":["ghp_"],"entropy":3},
{"id":"github-refresh-token","pattern":"ghr_[0-9a-zA-Z]{36}","keywords":["ghr_"],"entropy":3},
{"id":"gitlab-cicd-job-token","pattern":"glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}","keywords":["glcbt-"],"entropy":3},
{"id":"gitlab-deploy-token","pattern":"gldt-[0-9a-zA-Z_\\-]{20}","keywords":["gldt-"],"entropy":3},
{"id":"gitlab-feature-flag-client-token","pattern":"glffct-[0-9a-zA-Z_\\-]{20}","keywords":["glffct-"],"entropy":3},
{"id":"gitlab-feed-token","pattern":"glft-[0-9a-zA-Z_\\-]{20}","keywords":["glft-"],"entropy":3},
{"id":"gitlab-incoming-mail-token","pattern":"glimt-[0-9a-zA-Z_\\-]{25}","keywords":["glimt-"],"entropy":3},
{"id":"gitlab-kubernetes-agent-token","pattern":"glagent-[0-9a-zA-Z_\\-]{50}","keywords":["glagent-"],"entropy":3},
{"id":"gitlab-oauth-app-secret","pattern":"gloas-[0-9a-zA-Z_\\-]{64}","keywords":["gloas-"],"entropy":3},
{"id":"gitlab-pat","pattern":"glpat-[\\w-]{20}","keywords":["glpat-"],"entropy":3},
{"id":"gitlab-pat-routable","pattern":"\\bglpat-[0-9a-zA-Z_-]{27,300}\\.[0-9a-z]{2}[0-9a-z]{7}\\b","keywords":["glpat-"],"entropy":4},
{"id":"gitlab-ptt","pattern":"glptt-[0-9a-f]{40}","keywords":["glptt-"],"entropy":3},
{"id":"gitlab-rrt","pattern":"GR1348941[\\w-]{20}","keywords":["gr1348941"],"entropy":3},
{"id":"gitlab-runner-authentication-token","pattern":"glrt-[0-9a-zA-Z_\\-]{20}","keywords":["glrt-"],"entropy":3},
{"id":"gitlab-runner-authentication-token-routable","pattern":"\\bglrt-t\\d_[0-9a-zA-Z_\\-]{27,300}\\.[0-9a-z]{2}[0-9a-z]{7}\\b","keywords":["glrt-"],"entropy":4},
{"id":"gitlab-scim-token","pattern":"glsoat-[0-9a-zA-Z_\\-]{20}","keywords":["glsoat-"],"entropy":3},
{"id":"gitlab-session-cookie","pattern":"_gitlab_session=[0-9a-z]{32}","keywords":["_gitlab_session="],"entropy":3},
{"id":"grafana-api-key","pattern":"(?i:\\b(eyJrIjoi[A-Za-z0-9]{70,400}={0,3})(?![A-Za-z0-9]))","keywords":["eyjrijoi"],"entropy":3},
{"id":"grafana-cloud-api-token","pattern":"(?i:\\b(glc_[A-Za-z0-9+/]{32,400}={0,3})(?![A-Za-z0-9]))","keywords":["glc_"],"entropy":3},
{"id":"grafana-service-account-token","pattern":"(?i:\\b(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})(?![A-Za-z0-9]))","keywords":["glsa_"],"entropy":3},
{"id":"harness-api-key","pattern":"(?:pat|sat)\\.[a-zA-Z0-9_-]{22}\\.[a-zA-Z0-9]{24}\\.[a-zA-Z0-9]{20}","keywords":["pat.","sat."],"entropy":0},
{"id":"hashicorp-tf-api-token","pattern":"(?i:[a-z0-9]{14}\\.(?-i:atlasv1)\\.[a-z0-9\\-_=]{60,70})","keywords":["atlasv1"],"entropy":3.5},
{"id":"heroku-api-key-v2","pattern":"\\b((HRKU-AA[0-9a-zA-Z_-]{58}))(?![A-Za-z0-9])","keywords":["hrku-aa"],"entropy":4},
{"id":"huggingface-access-token","pattern":"\\b(hf_(?i:[a-z]{34}))(?![A-Za-z0-9])","keywords":["hf_"],"entropy":2},
{"id":"huggingface-organization-api-token","pattern":"\\b(api_org_(?i:[a-z]{34}))(?![A-Za-z0-9])","keywords":["api_org_"],"entropy":2},
{"id":"infracost-api-token","pattern":"\\b(ico-[a-zA-Z0-9]{32})(?![A-Za-z0-9])","keywords":["ico-"],"entropy":3},
{"id":"intra42-client-secret","pattern":"\\b(s-s4t2(?:ud|af)-(?i:[abcdef0123456789]{64}))(?![A-Za-z0-9])","keywords":["intra","s-s4t2ud-","s-s4t2af-"],"entropy":3},
{"id":"jwt-base64","pattern":"\\bZXlK(?:(?:aGJHY2lPaU)|(?:aGNIVWlPaU)|(?:aGNIWWlPaU)|(?:aGRXUWlPaU)|(?:aU5qUWlP)|(?:amNtbDBJanBi)|(?:amRIa2lPaU)|(?:bGNHc2lPbn)|(?:bGJtTWlPaU)|(?:cWEzVWlPaU)|(?:cWQyc2lPb)|(?:cGMzTWlPaU)|(?:cGRpSTZJ)|(?:cmFXUWlP)|(?:clpYbGZiM0J6SWpwY)|(?:cmRIa2lPaUp)|(?:dWIyNWpaU0k2)|(?:d01tTWlP)|(?:d01uTWlPaU)|(?:d2NIUWlPaU)|(?:emRXSWlPaU)|(?:emRuUWlP)|(?:MFlXY2lPaU)|(?:MGVYQWlPaUp)|(?:MWNtd2l)|(?:MWMyVWlPaUp)|(?:MlpYSWlPaU)|(?:MlpYSnphVzl1SWpv)|(?:NElqb2)|(?:NE5XTWlP)|(?:NE5YUWlPaU)|(?:NE5YUWpVekkxTmlJNkl)|(?:NE5YVWlPaU)|(?:NmFYQWlPaU))[a-zA-Z0-9\\/\\\\_+\\-\\r\\n]{40,}={0,2}","keywords":["zxlk"],"entropy":2},
{"id":"linear-api-key","pattern":"lin_api_(?i:[a-z0-9]{40})","keywords":["lin_api_"],"entropy":2},
{"id":"maxmind-license-key","pattern":"\\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?![A-Za-z0-9])","keywords":["_mmk"],"entropy":4},
{"id":"microsoft-teams-webhook","pattern":"https://[a-z0-9]+\\.webhook\\.office\\.com/webhookb2/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}","keywords":["webhook.office.com","webhookb2","incomingwebhook"],"entropy":0},
{"id":"notion-api-token","pattern":"\\b(ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})(?![A-Za-z0-9])","keywords":["ntn_"],"entropy":4},
{"id":"npm-access-token","pattern":"(?i:\\b(npm_[a-z0-9]{36})(?![A-Za-z0-9]))","keywords":["npm_"],"entropy":2},
{"id":"octopus-deploy-api-key","pattern":"\\b(API-[A-Z0-9]{26})(?![A-Za-z0-9])","keywords":["api-"],"entropy":3},
{"id":"openai-api-key","pattern":"\\b(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?![A-Za-z0-9])","keywords":["t3blbkfj"],"entropy":3},
{"id":"openshift-user-token","pattern":"\\b(sha256~[\\w-]{43})(?![A-Za-z0-9])","keywords":["sha256~"],"entropy":3.5},
{"id":"perplexity-api-key","pattern":"\\b(pplx-[a-zA-Z0-9]{48})(?![A-Za-z0-9])","keywords":["pplx-"],"entropy":4},
{"id":"planetscale-api-token","pattern":"\\b(pscale_tkn_(?i:[\\w=\\.-]{32,64}))(?![A-Za-z0-9])","keywords":["pscale_tkn_"],"entropy":3},
{"id":"planetscale-oauth-token","pattern":"\\b(pscale_oauth_[\\w=\\.-]{32,64})(?![A-Za-z0-9])","keywords":["pscale_oauth_"],"entropy":3},
{"id":"planetscale-password","pattern":"(?i:\\b(pscale_pw_(?i:[\\w=\\.-]{32,64}))(?![A-Za-z0-9]))","keywords":["pscale_pw_"],"entropy":3},
{"id":"postman-api-token","pattern":"\\b(PMAK-(?i:[a-f0-9]{24}\\-[a-f0-9]{34}))(?![A-Za-z0-9])","keywords":["pmak-"],"entropy":3},
{"id":"prefect-api-token","pattern":"\\b(pnu_[a-zA-Z0-9]{36})(?![A-Za-z0-9])","keywords":["pnu_"],"entropy":2},
{"id":"pulumi-api-token","pattern":"\\b(pul-[a-f0-9]{40})(?![A-Za-z0-9])","keywords":["pul-"],"entropy":2},
{"id":"pypi-upload-token","pattern":"pypi-AgEIcHlwaS5vcmc[\\w-]{50,1000}","keywords":["pypi-ageichlwas5vcmc"],"entropy":3},
{"id":"readme-api-token","pattern":"\\b(rdme_[a-z0-9]{70})(?![A-Za-z0-9])","keywords":["rdme_"],"entropy":2},
{"id":"rubygems-api-token","pattern":"\\b(rubygems_[a-f0-9]{48})(?![A-Za-z0-9])","keywords":["rubygems_"],"entropy":2},
{"id":"scalingo-api-token","pattern":"\\b(tk-us-[\\w-]{48})(?![A-Za-z0-9])","keywords":["tk-us-"],"entropy":2},
{"id":"sendgrid-api-token","pattern":"\\b(SG\\.(?i:[a-z0-9=_\\-\\.]{66}))(?![A-Za-z0-9])","keywords":["sg."],"entropy":2},
{"id":"sendinblue-api-token","pattern":"\\b(xkeysib-[a-f0-9]{64}\\-(?i:[a-z0-9]{16}))(?![A-Za-z0-9])","keywords":["xkeysib-"],"entropy":2},
{"id":"sentry-org-token","pattern":"\\bsntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43}(?![A-Za-z0-9])","keywords":["sntrys_eyjpyxqio"],"entropy":4.5},
{"id":"sentry-user-token","pattern":"\\b(sntryu_[a-f0-9]{64})(?![A-Za-z0-9])","keywords":["sntryu_"],"entropy":3.5},
{"id":"settlemint-application-access-token","pattern":"\\b(sm_aat_[a-zA-Z0-9]{16})(?![A-Za-z0-9])","keywords":["sm_aat"],"entropy":3},
{"id":"settlemint-personal-access-token","pattern":"\\b(sm_pat_[a-zA-Z0-9]{16})(?![A-Za-z0-9])","keywords":["sm_pat"],"entropy":3},
{"id":"settlemint-service-access-token","pattern":"\\b(sm_sat_[a-zA-Z0-9]{16})(?![A-Za-z0-9])","keywords":["sm_sat"],"entropy":3},
{"id":"shippo-api-token","pattern":"\\b(shippo_(?:live|test)_[a-fA-F0-9]{40})(?![A-Za-z0-9])","keywords":["shippo_"],"entropy":2},
{"id":"shopify-access-token","pattern":"shpat_[a-fA-F0-9]{32}","keywords":["shpat_"],"entropy":2},
{"id":"shopify-custom-access-token","pattern":"shpca_[a-fA-F0-9]{32}","keywords":["shpca_"],"entropy":2},
{"id":"shopify-private-app-access-token","pattern":"shppa_[a-fA-F0-9]{32}","keywords":["shppa_"],"entropy":2},
{"id":"shopify-shared-secret","pattern":"shpss_[a-fA-F0-9]{32}","keywords":["shpss_"],"entropy":2},
{"id":"slack-app-token","pattern":"(?i:xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]+)","keywords":["xapp"],"entropy":2},
{"id":"slack-bot-token","pattern":"xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*","keywords":["xoxb"],"entropy":3},
{"id":"slack-config-access-token","pattern":"(?i:xoxe.xox[bp]-\\d-[A-Z0-9]{163,166})","keywords":["xoxe.xoxb-","xoxe.xoxp-"],"entropy":2},
{"id":"slack-config-refresh-token","pattern":"(?i:xoxe-\\d-[A-Z0-9]{146})","keywords":["xoxe-"],"entropy":2},
{"id":"slack-legacy-bot-token","pattern":"xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}","keywords":["xoxb"],"entropy":2},
{"id":"slack-legacy-token","pattern":"xox[os]-\\d+-\\d+-\\d+-[a-fA-F\\d]+","keywords":["xoxo","xoxs"],"entropy":2},
{"id":"slack-legacy-workspace-token","pattern":"xox[ar]-(?:\\d-)?[0-9a-zA-Z]{8,48}","keywords":["xoxa","xoxr"],"entropy":2},
{"id":"slack-user-token","pattern":"xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}","keywords":["xoxp-","xoxe-"],"entropy":2},
{"id":"square-access-token","pattern":"\\b((?:EAAA|sq0atp-)[\\w-]{22,60})(?![A-Za-z0-9])","keywords":["sq0atp-","eaaa"],"entropy":2},
{"id":"stripe-access-token","pattern":"\\b((?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})(?![A-Za-z0-9])","keywords":["sk_test","sk_live","sk_prod","rk_test","rk_live","rk_prod"],"entropy":2},
{"id":"twilio-api-key","pattern":"SK[0-9a-fA-F]{32}","keywords":["sk"],"entropy":3},
{"id":"vault-batch-token","pattern":"\\b(hvb\\.[\\w-]{138,300})(?![A-Za-z0-9])","keywords":["hvb."],"entropy":4},
{"id":"vault-service-token","pattern":"\\b((?:hvs\\.[\\w-]{90,120}|s\\.(?i:[a-z0-9]{24})))(?![A-Za-z0-9])","keywords":["hvs.","s."],"entropy":3.5},
];
