// An OpenSearch node on loopback for tests. Runs in Java: OpenSearchServer FOLDER PORT
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public class OpenSearchServer {
  /** Its plugin is on the class path, so that no folder of modules is needed. */
  static class LocalNode extends Node {
    LocalNode(Environment environment) {
      super(environment, List.of(Netty4Plugin.class), false);
    }
  }

  public static void main(String[] words) throws Exception {
    Path home = Path.of(words[0]);
    Settings settings = Settings.builder()
      .put("path.home", home.toString())
      .put("http.port", words[1])
      .put("transport.port", "0")
      .put("network.host", "127.0.0.1")
      .put("transport.type", "netty4")
      .put("http.type", "netty4")
      .put("discovery.type", "single-node")
      .put("cluster.routing.allocation.disk.threshold_enabled", false)
      .build();
    new LocalNode(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home, () -> "test")).start();
    Thread.currentThread().join();
  }
}
