import { readRows } from '/work/main/src/activities/toolsets/rows.ts';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
const tools = {};
for (const f of ['argocd','confluence','datadog','elasticsearch','git','github','gitlab','grafana','helm','jira','kubernetes','loki','mongodb','mysql']) {
  const y = parse(readFileSync('/work/main/toolsets/'+f+'.yaml','utf8'), { merge: true });
  for (const t of y.tools) if (t.rows) tools[t.name] = t;
}
const iso = (i) => new Date(Date.UTC(2026,0,1)+i*60000).toISOString();
const L = (n, f) => Array.from({length:n},(_,i)=>f(i));
const gen = {
 argocd_applications: n=>({items: n? L(n,i=>({metadata:{name:'app'+i},status:{health:{status:i%3?'Healthy':'Degraded'},sync:{status:'Synced',revision:'abcdef0123456'+i},operationState:{phase:'Succeeded',finishedAt:iso(i),message:'ok'},conditions:[{type:'SyncError',message:'m'},{type:'B',message:'m2'}]}})):null}),
 argocd_resources: n=>({nodes:L(n,i=>({kind:i%2?'Pod':'Service',namespace:'ns',name:'r'+i,createdAt:iso(i),...(i%2?{health:{status:i%3?'Healthy':'Degraded',message:'x'}}:{})}))}),
 argocd_changes: n=>({items:L(n,i=>({metadata:{name:'app'+i},status:{history:[{id:i,revision:'abcdef012345',deployedAt:iso(i),initiatedBy:{username:'u'},source:{repoURL:'r'}}]}}))}),
 confluence_search: n=>({results:L(n,i=>({content:{id:''+i,type:'page'},title:'T'+i,excerpt:'a b\n c',lastModified:iso(i),resultGlobalContainer:{title:'Space'}}))}),
 confluence_page: n=>({title:'T',version:{number:2,createdAt:iso(0)},body:{storage:{value:L(n,i=>'<p>line &lt;'+i+'&gt; &amp; more&nbsp;x</p>').join('')}}}),
 datadog_logs: n=>({data:L(n,i=>({id:'x'+i,type:'log',attributes:{timestamp:iso(i),status:'error',service:'s',host:'h',message:'m'+i,attributes:{a:1},tags:['a']}})),meta:{}}),
 datadog_metrics: n=>({status:'ok',series:L(n,i=>({expression:'avg:x'+i,scope:'host:'+i,pointlist:[[1,2],[2,3]]}))}),
 datadog_monitors: n=>({monitors:L(n,i=>({id:i,name:'M'+i,status:'Alert',query:'q',scopes:['a','b'],last_triggered_ts:1700000000})),metadata:{total_count:n}}),
 datadog_events: n=>({data:L(n,i=>({id:'e'+i,type:'event',attributes:{timestamp:iso(i),message:'m',tags:['a','b'],attributes:{title:'T'+i}}}))}),
 datadog_changes: n=>({data:L(n,i=>({id:'e'+i,type:'event',attributes:{timestamp:iso(i),message:'m',tags:['a','b'],attributes:{title:'T'+i}}}))}),
 elasticsearch_search: n=>({_shards:{total:1,failed:0},timed_out:false,hits:{total:{value:n,relation:'eq'},hits:L(n,i=>({_index:'a',_source:{'@timestamp':iso(i),level:'error',message:'m'+i,service:{name:'s'},host:{name:'h'}},sort:[1700000000000+i]}))}}),
 elasticsearch_counts: n=>({_shards:{total:1,failed:0},hits:{total:{value:n}},aggregations:{top:{buckets:L(n,i=>({key:'k'+i,doc_count:i,first:{value:1,value_as_string:iso(1)},last:{value:2,value_as_string:iso(2)}})),sum_other_doc_count:0}}}),
 elasticsearch_fields: n=>({indices:['a'],fields:Object.fromEntries(L(n,i=>['f'+i,{keyword:{type:'keyword'}}]))}),
 elasticsearch_indices: n=>L(n,i=>({health:'green',status:'open',index:'i'+i,'docs.count':'1','store.size':'1kb','creation.date.string':iso(i)})),
 elasticsearch_health: n=>({status:'yellow',number_of_nodes:1,unassigned_shards:1,initializing_shards:0,relocating_shards:0,number_of_pending_tasks:0,active_shards_percent_as_number:90,indices:Object.fromEntries(L(n,i=>['i'+i,{status:i%2?'yellow':'red',unassigned_shards:i}]))}),
 git_changes: n=>({lines:L(n,i=>iso(i)+'\tauth\tabc'+i+'\tsubj'+i).join('\n')}),
 github_runs: n=>({total_count:n,workflow_runs:L(n,i=>({created_at:iso(i),conclusion:'failure',status:'completed',name:'CI',run_number:i,head_branch:'main',head_sha:'abcdef0123456',actor:{login:'a'},display_title:'t'}))}),
 github_commit: n=>({sha:'abc',commit:{committer:{date:iso(0)},author:{name:'a'},message:'m'},files:L(n,i=>({filename:'f'+i,additions:1,deletions:2,patch:'x'}))}),
 github_commits: n=>L(n,i=>({sha:'abcdef0123'+i,html_url:'h',author:{login:'l'},commit:{committer:{date:iso(i)},author:{name:'a'},message:'m\nx'}})),
 github_deployments: n=>L(n,i=>({created_at:iso(i),creator:{login:'l'},ref:'main',description:'d',environment:'prod',sha:'abcdef0123456'})),
 github_pulls: n=>L(n,i=>({merged_at:i%2?iso(i):null,updated_at:iso(i),user:{login:'l'},number:i,title:'t',base:{ref:'main'},html_url:'h'})),
 gitlab_pipelines: n=>L(n,i=>({updated_at:iso(i),status:'failed',id:i,ref:'main',sha:'abcdef012345',source:'push'})),
 gitlab_commit: n=>L(n,i=>({new_path:'p'+i,new_file:false,deleted_file:false,diff:'@@ x'})),
 gitlab_commits: n=>L(n,i=>({committed_date:iso(i),author_name:'a',title:'t',short_id:'s'+i,web_url:'w'})),
 gitlab_deployments: n=>L(n,i=>({updated_at:iso(i),user:{username:'u'},ref:'r',status:'success',environment:{name:'prod'},sha:'abcdef0123'})),
 gitlab_merges: n=>L(n,i=>({merged_at:iso(i),merge_user:{username:'m'},author:{username:'a'},iid:i,title:'t',target_branch:'main',web_url:'w'})),
 grafana_sources: n=>L(n,i=>({uid:'u'+i,type:'loki',name:'n',isDefault:i===0})),
 grafana_logs: n=>({status:'success',data:{resultType:'streams',result:L(Math.min(n,20),s=>({stream:{app:'a'+s,level:'error'},values:L(Math.ceil((n-s)/Math.min(n,20)),i=>[String(1700000000000000000n+BigInt(s+i*20)*1000000n),'line '+s+' '+i])}))}}),
 grafana_traces: n=>({traces:L(n,i=>({traceID:'t'+i,rootServiceName:'s',rootTraceName:'n',startTimeUnixNano:'1700000000000000000',durationMs:i,spanSets:[{matched:1}]}))}),
 grafana_annotations: n=>L(n,i=>({id:i,time:1700000000000+i,timeEnd:1700000000000+i+10,text:'<b>t</b>',tags:['a','b'],login:'l',alertName:'',dashboardUID:'d'})),
 grafana_dashboards: n=>L(n,i=>({uid:'u'+i,title:'t',folderTitle:'f',tags:['a']})),
 grafana_panels: n=>({dashboard:{templating:{list:[{name:'v',current:{value:'x'}}]},panels:L(n,i=>i%5?({id:i,type:'graph',title:'t'+i,datasource:{uid:'d'},targets:[{expr:'e',datasource:{uid:'d1'}}]}):({id:i,type:'row',title:'R',panels:[{id:i*1000,type:'graph',title:'in',targets:[{expr:'e'},{expr:'f'}]}]}))}}),
 grafana_changes: n=>L(n,i=>({id:i,time:1700000000000+i,text:'<b>t</b>',tags:['a','b'],login:'l'})),
 helm_releases: n=>L(n,i=>({name:'r'+i,namespace:'ns',revision:'1',updated:iso(i),status:i%3?'deployed':'failed',chart:'c-1',app_version:'1'})),
 helm_history: n=>L(n,i=>({revision:i+1,updated:iso(i),status:'superseded',chart:'c',app_version:'1',description:'d'})),
 helm_changes: n=>L(n,i=>({name:'r'+i,namespace:'ns',revision:'1',updated:iso(i),status:'deployed',chart:'c-1',app_version:'1'})),
 jira_search: n=>({isLast:true,issues:L(n,i=>({key:'K-'+i,fields:{updated:iso(i),issuetype:{name:'Bug'},status:{name:'Open'},priority:{name:'High'},summary:'s',assignee:{displayName:'A'},created:iso(0)}}))}),
 jira_issue: n=>({fields:{status:{name:'Open'},priority:null,summary:'s',assignee:null,created:iso(0),updated:iso(1),description:'d',comment:{comments:L(n,i=>({created:iso(i),author:{displayName:'A'},body:'b'+i}))}},changelog:{histories:L(n,i=>({created:iso(i),author:{displayName:'B'},items:[{field:'status',fromString:'a',toString:'b'}]}))}}),
 kubernetes_changes: n=>({items:L(n,i=>({metadata:{creationTimestamp:iso(i),namespace:'n',name:'rs'+i,annotations:{'deployment.kubernetes.io/revision':'1'},ownerReferences:[{name:'d'+i}]},spec:{template:{spec:{containers:[{image:'a'},{image:'b'}]}}}}))}),
 kubernetes_writes: n=>({lines:L(n,i=>'ns/Deployment/d'+i+'\t'+iso(i)+' kubectl Update \t'+iso(i)+' kube-controller-manager Update status').join('\n')}),
 loki_labels: n=>({status:'success',data:L(n,i=>'l'+i)}),
 loki_label_values: n=>({status:'success',data:L(n,i=>'v'+i)}),
 loki_volume: n=>({status:'success',data:{resultType:'vector',result:L(n,i=>({metric:{app:'a'+i},value:[1700000000,String(i)]}))}}),
 mongodb_operations: n=>({operations:{inprog:L(n,i=>({secs_running:i,op:'query',ns:'a.b',opid:i,client:'c',appName:'x',command:{find:'x'},numYields:1,planSummary:'COLLSCAN'}))}}),
 mongodb_status: n=>({server:{host:'h',process:'mongod',version:'8',uptime:100,connections:{current:1,active:1,available:10}},replicas:{set:'rs',members:L(n,i=>({name:'m'+i,stateStr:i?'SECONDARY':'PRIMARY',health:1,uptime:1,optimeDate:{$date:iso(i)}}))}}),
 mongodb_collections: n=>({database:'d',collections:L(n,i=>({name:'c'+i,type:'collection',stats:{count:1,size:2,storageSize:i,indexSizes:{_id_:4,b:3}},indexes:[{name:'_id_',key:{_id:1}},{name:'b',key:{b:1},unique:true}]})),left:0}),
 mongodb_find: n=>L(n,i=>({_id:i,a:'x'})),
 mongodb_aggregate: n=>L(n,i=>({_id:i,a:'x'})),
 mysql_show: n=>({lines:L(n,i=>'Slave_IO_Running: Yes'+i).join('\n')}),
 mysql_query: n=>({lines:['a\tb',...L(n,i=>i+'\tx')].join('\n')}),
};
gen.helm_superseded=gen.helm_changes; gen.loki_logs=gen.grafana_logs;
const input = {explain:false,limit:100,what:'replication',since:iso(0),index:'x',field:'f'};
export {tools, gen, readRows, input, iso, L};
export async function run(name, value, inp=input){
  const t=tools[name];
  const text = value&&value.lines!==undefined ? value.lines : JSON.stringify(value);
  const a=performance.now();
  try { const r=await readRows(text,t,{...input,...inp}); return {r,ms:Math.round(performance.now()-a)}; }
  catch(e){ return {e:String(e.message||e),ms:Math.round(performance.now()-a)}; }
}
if (process.argv[2]!=='lib') {
 for (const name of Object.keys(tools)) {
  if(!gen[name]){console.log('NO GEN',name);continue}
  const out=[];
  for (const n of [0,1,2,1000,5000]) { const {r,e,ms}=await run(name,gen[name](n)); out.push(`${n}:${e?'ERR '+e:r.length}(${ms}ms)`);
    if(n===1) out.push(JSON.stringify(r).slice(0,200)); }
  console.log(name, out.join(' '));
 }
}
